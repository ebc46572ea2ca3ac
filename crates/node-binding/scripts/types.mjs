// From the lines that napi's macros write while they compile to a file of TypeScript declarations.

const HEAD = '// Written by `npm run build` from the comments in src/; change them there.\n';

/** Comments that went through `macro_rules!` begin as raw string literals do. */
const plain = (text) => text.replace(/^(\/\*\*|\s*\*) r"\s?/gm, '$1 ');

const clean = (text) =>
  plain(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.length > 0);

/** Members, one step to the right; the second line of a comment begins with a star. */
const members = (definition) =>
  clean(definition).map((line) => `  ${/^\s\*/.test(line) ? ` ${line.trimStart()}` : line.trimStart()}`);

/**
 * @param {string} lines one JSON object on each line
 * @returns {string}
 */
export function types(lines) {
  const items = lines.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const methods = new Map();
  for (const { kind, name, def } of items) {
    if (kind === 'impl') methods.set(name, [...(methods.get(name) ?? []), ...members(def)]);
  }
  const declared = items
    .filter(({ kind }) => kind !== 'impl')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ kind, name, js_doc: doc, def }) => {
      const comment = clean(doc).map((line) => (/^\s\*/.test(line) ? ` ${line.trimStart()}` : line));
      switch (kind) {
        case 'struct':
          return [...comment, `export declare class ${name} {`, '  private constructor()', ...(methods.get(name) ?? []), '}'];
        case 'interface':
          return [...comment, `export interface ${name} {`, ...members(def), '}'];
        case 'fn':
          return [...comment, `export declare ${def}`];
        default:
          throw new Error(`no idea how to declare ${kind} ${name}`);
      }
    });
  return [HEAD, ...declared.map((item) => item.join('\n') + '\n')].join('\n');
}
