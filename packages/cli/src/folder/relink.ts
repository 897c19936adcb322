// Turns links between pages into links between files, in the Markdown and the HTML that the agent writes.

/** What a link becomes; undefined where it stays as it is. */
export type Relink = (address: string) => string | undefined;

const FENCE = /^(?:[\s>]|[-*+] |\d+[.)] )*(`{3,}|~{3,})/;
/** The address of a link or a picture, in brackets or with parentheses that are escaped or in pairs (CommonMark, section 6.3). */
const DESTINATION = /\]\((<[^<>\n]*>|(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))+)/g;
/** A link as the HTML view writes it: quoted values, in which `<`, `>`, `"` and `&` are escaped. */
const ANCHOR = /<a((?: [\w:-]+="[^"<>]*")*)>/g;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0' };

/** `markdown` with the addresses that `relink` knows changed; code stays as it is. */
export function relinkMarkdown(markdown: string, relink: Relink): string {
  let fence = '';
  return markdown
    .split('\n')
    .map((line) => {
      if (fence !== '') {
        if (closes(line, fence)) fence = '';
        return line;
      }
      fence = FENCE.exec(line)?.[1] ?? '';
      return fence === '' ? relinkLine(line, relink) : line;
    })
    .join('\n');
}

function closes(line: string, fence: string): boolean {
  const text = line.replace(/^[\s>]*/, '').trimEnd();
  return text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length);
}

function relinkLine(line: string, relink: Relink): string {
  return outsideCode(line, (text) =>
    text.replaceAll(DESTINATION, (found, address: string) => {
      const plain = address.startsWith('<') ? address.slice(1, -1) : address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
      const target = relink(plain);
      return target === undefined ? found : `](${target}`;
    }),
  );
}

/** `line` with all but its code spans changed. A span ends at the next run of as many backticks as began it. */
function outsideCode(line: string, change: (text: string) => string): string {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  const nextAlike = new Map<number, number>();
  const followers = runs.map(() => undefined as number | undefined);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] as (typeof runs)[number];
    followers[index] = nextAlike.get(length);
    nextAlike.set(length, index);
  }
  let written = '';
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const end = followers[index];
    const run = runs[index] as (typeof runs)[number];
    if (end === undefined || isEscaped(line, run.start)) continue;
    const last = runs[end] as (typeof runs)[number];
    const stop = last.start + last.length;
    written += change(line.slice(at, run.start)) + line.slice(run.start, stop);
    at = stop;
    index = end;
  }
  return written + change(line.slice(at));
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0;
  while (line[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** `html` with the addresses of links that `relink` knows changed. */
export function relinkHtml(html: string, relink: Relink): string {
  return html.replaceAll(ANCHOR, (anchor, attributes: string) => {
    const address = / href="([^"]*)"/.exec(attributes)?.[1];
    const target =
      address === undefined ? undefined : relink(address.replaceAll(/&(?:amp|lt|gt|quot|nbsp);/g, (name) => ENTITIES[name] ?? name));
    return target === undefined ? anchor : anchor.replace(` href="${address}"`, () => ` href="${target.replaceAll('&', '&amp;')}"`);
  });
}
