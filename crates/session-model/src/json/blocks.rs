//! The blocks of a message's content.

use super::{Key, Shape, Span, keys::Take};

/// One block: where its members are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Block {
    pub(crate) kind: Option<(Shape, Span)>,
    pub(crate) text: Option<(Shape, Span)>,
    pub(crate) thinking: Option<(Shape, Span)>,
    pub(crate) id: Option<(Shape, Span)>,
    pub(crate) name: Option<(Shape, Span)>,
    pub(crate) arguments: Option<(Shape, Span)>,
}

impl Take for Block {
    #[inline]
    fn take(&mut self, key: Key, shape: Shape, span: Span) {
        let place = match key {
            Key::Type => &mut self.kind,
            Key::Text => &mut self.text,
            Key::Thinking => &mut self.thinking,
            Key::Id => &mut self.id,
            Key::Name => &mut self.name,
            Key::Arguments => &mut self.arguments,
            _ => return,
        };
        *place = Some((shape, span));
    }
}

/// The blocks of a content that were listed while the message was walked over.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    list: Vec<Block>,
    /// Where the array stands that was listed.
    array: Option<Span>,
    /// There is a null among its elements.
    has_null: bool,
}

/// So many blocks are listed; a content with more is walked again. A hostile one has millions.
const MOST: usize = 1024;

impl Blocks {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.array = None;
        self.has_null = false;
    }

    /// Adds an element; false when there are too many.
    pub(super) fn add(&mut self, element: &Element) -> bool {
        match element {
            Element::Null => self.has_null = true,
            Element::Other => {}
            Element::Block(block) => {
                if self.list.len() >= MOST {
                    return false;
                }
                self.list.push(*block);
            }
        }
        true
    }

    /// The array was listed to its end.
    pub(super) fn complete(&mut self, array: Span) {
        self.array = Some(array);
    }

    /// The blocks of an array and whether there is a null among them, where it is the one that was listed.
    pub(crate) fn of(&self, array: Span) -> Option<(&[Block], bool)> {
        (self.array == Some(array)).then_some((self.list.as_slice(), self.has_null))
    }
}

/// An element of a content.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Element {
    Null,
    Block(Block),
    Other,
}
