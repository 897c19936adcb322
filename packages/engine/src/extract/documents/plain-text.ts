// Reads the Markdown that documents are written as back into plain text.

const FENCE = /^(`{3,})[\w+#.-]*$/;
const TABLE_RULE = /^\|(?: --- \|)+$/;

/** The text of a document: as it is, or its Markdown without marks. */
export function textOfDocument({ text, markdown }: { readonly text?: string; readonly markdown: string }): string {
  return text ?? textOfMarkdown(markdown);
}

/** The text of Markdown without its marks: cells along a row are divided by tabs, code stays as it is. */
export function textOfMarkdown(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      else lines.push(line);
      continue;
    }
    fence = FENCE.exec(line)?.[1];
    if (fence === undefined && !TABLE_RULE.test(line)) lines.push(plainLine(line));
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function plainLine(line: string): string {
  if (/^\|.*\|$/.test(line))
    return line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => plainWords(cell.trim()))
      .join('\t');
  return plainWords(line.replace(/^\s*#{1,6}\s+/, '').replace(/^(?:> ?)+/, ''));
}

function plainWords(text: string): string {
  return text
    .replace(
      /!?\[((?:\\.|[^\]\\]){0,2000})\]\((?:<[^>]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?: "[^"]{0,500}")?\)/g,
      '$1',
    )
    .replace(/(?<![\\\w])(\*{1,3}|_{1,3}|~~)(?=\S)([^*_~\n]{1,2000})\1(?!\w)/g, '$2')
    .replace(/<br>/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
