//! How each cost grows with the corpus: small charts side by side, drawn as SVG.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figures::{Figures, number, thousands};

const SIZE: (u32, u32) = (1080, 700);
const TEXT: RGBColor = RGBColor(0x33, 0x38, 0x40);
const LINES: RGBColor = RGBColor(0xe3, 0xe6, 0xea);
/// Told apart with any kind of colour vision, and on paper by their lightness.
const COLOURS: [RGBColor; 4] = [
    RGBColor(0x00, 0x5a, 0x9c),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x8f, 0x6b),
    RGBColor(0x9b, 0x4f, 0x96),
];

struct Panel {
    title: &'static str,
    /// Figures by name, and what they are called in the chart.
    costs: &'static [(&'static str, &'static str)],
}

const PANELS: [Panel; 6] = [
    Panel {
        title: "First build, ms",
        costs: &[("build.cpu", "processor time"), ("build.wall", "wall time")],
    },
    Panel {
        title: "Peak memory, MiB",
        costs: &[("build.peak", "first build"), ("search.peak", "searching")],
    },
    Panel {
        title: "On disk, MiB",
        costs: &[("corpus", "sessions (MB)"), ("index.size", "index")],
    },
    Panel {
        title: "Sync, ms",
        costs: &[
            ("append.largest.p50", "appended to largest"),
            ("append.median.p50", "appended to median"),
            ("sync.unchanged", "nothing changed"),
            ("walk", "bare walk"),
        ],
    },
    Panel {
        title: "Search, limit 10, ms",
        costs: &[
            ("query.10.max", "slowest"),
            ("query.10.p95", "p95"),
            ("query.10.p50", "p50"),
        ],
    },
    Panel {
        title: "Start, ms",
        costs: &[("first", "program to first results"), ("open", "open the index")],
    },
];

/// Draws the costs of our engine. Both axes are logarithmic: what grows as fast as the corpus rises at 45 degrees of
/// the grid, what costs the same at every size is level.
pub(crate) fn draw(figures: &Figures) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw_on(&area, figures).map_err(|error| anyhow!("the chart could not be drawn: {error}"))?;
        area.present()
            .map_err(|error| anyhow!("the chart could not be drawn: {error}"))?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

fn draw_on(area: &Area<'_>, figures: &Figures) -> Drawn {
    area.fill(&WHITE)?;
    for (area, panel) in area.split_evenly((2, 3)).iter().zip(&PANELS) {
        panel.draw(area, figures)?;
    }
    Ok(())
}

impl Panel {
    fn draw(&self, area: &Area<'_>, figures: &Figures) -> Drawn {
        let engines = figures.engines();
        let Some(ours) = engines.first() else {
            return Ok(());
        };
        let mut corpora = figures.corpora();
        corpora.sort_unstable();
        let lines: Vec<(&str, Vec<(f64, f64)>)> = self
            .costs
            .iter()
            .map(|(name, label)| {
                let point = |sessions: &u32| {
                    let value = figures.get(*sessions, ours, name)?;
                    // A logarithmic axis has no zero.
                    Some((f64::from(*sessions), value.max(1e-3)))
                };
                (*label, corpora.iter().filter_map(point).collect())
            })
            .collect();
        let values: Vec<f64> = lines
            .iter()
            .flat_map(|line| line.1.iter().map(|point| point.1))
            .collect();
        let (Some(first), Some(last), false) = (corpora.first(), corpora.last(), values.is_empty()) else {
            return Ok(());
        };
        // From a power of ten on, so that the axis begins with a line to read values from.
        let low = 10f64.powf(values.iter().copied().fold(f64::MAX, f64::min).log10().floor());
        let high = values.iter().copied().fold(low * 10.0, f64::max);
        // Room for the legend above all lines.
        let top = high * (high / low).powf(0.3);
        let (left, right) = (f64::from(*first) * 0.7, f64::from(*last) * 1.6);
        let style = ("sans-serif", 12).into_font().color(&TEXT);
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .caption(self.title, ("sans-serif", 15).into_font().color(&TEXT))
            .x_label_area_size(26)
            .y_label_area_size(48)
            .build_cartesian_2d((left..right).log_scale(), (low * 0.999..top).log_scale())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LINES)
            .axis_style(LINES)
            .label_style(style.clone())
            .x_labels(1)
            // The corpora themselves are written below the axis.
            .x_label_formatter(&|_| String::new())
            .y_label_formatter(&|value| axis(*value))
            .draw()?;
        for (at, (label, points)) in lines.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
            chart.draw_series(points.iter().map(|&(x, y)| {
                // Below its point where another one is close above it.
                let is_close = |other: &(f64, f64)| other.0 == x && other.1 > y && other.1 < y * 2.0;
                let (vertical, distance) = match lines.iter().flat_map(|line| &line.1).any(is_close) {
                    true => (VPos::Top, 6),
                    false => (VPos::Bottom, -6),
                };
                let value = style.clone().color(&colour).pos(Pos::new(HPos::Center, vertical));
                EmptyElement::at((x, y)) + Text::new(number(y), (0, distance), value)
            }))?;
            chart
                .draw_series(std::iter::empty::<Circle<(f64, f64), i32>>())?
                .label(*label)
                .legend(move |(x, y)| Rectangle::new([(x, y - 2), (x + 12, y + 2)], colour.filled()));
        }
        let below = style.clone().pos(Pos::new(HPos::Center, VPos::Top));
        chart.draw_series(corpora.iter().map(|&sessions| {
            EmptyElement::at((f64::from(sessions), low))
                + Text::new(thousands(sessions), (0, 6), below.clone())
        }))?;
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font(style)
            .legend_area_size(16)
            .margin(4)
            .draw()?;
        Ok(())
    }
}

/// A power of ten without what rounding leaves behind it.
fn axis(value: f64) -> String {
    if value >= 1.0 {
        thousands(value.round() as u32)
    } else {
        let decimals = (-value.log10()).ceil().max(0.0) as usize;
        format!("{value:.decimals$}")
    }
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::bench::figures::Figures;

    #[test]
    fn every_cost_has_its_values_and_its_name() {
        let mut figures = Figures::default();
        for (sessions, value) in [(200, 77.7), (2000, 888.0)] {
            figures.add(sessions, "lookback", "build.wall", Some(value));
            figures.add(sessions, "lookback", "walk", Some(0.0));
            figures.add(sessions, "other", "build.wall", Some(31_313.0));
        }
        let svg = draw(&figures).unwrap();
        for text in [
            "First build, ms",
            "wall time",
            "77.7",
            "888",
            "2,000",
            "bare walk",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(!svg.contains("31,313"), "the chart shows our growth");
        assert_eq!(
            svg,
            draw(&figures).unwrap(),
            "the same figures give the same bytes"
        );
    }
}
