// Server-sent events of an answer that was streamed, from its whole body: https://html.spec.whatwg.org/multipage/server-sent-events.html

/** The JSON of each event, in order, up to the mark that ends the stream; undefined where one of them is no JSON. */
export function readEventData(body: string): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const block of body.replace(/\r\n?/g, '\n').split('\n\n')) {
    const lines = block.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
    const data = lines.join('\n');
    if (data === '[DONE]') break;
    if (data === '') continue;
    try {
      values.push(JSON.parse(data));
    } catch {
      return undefined;
    }
  }
  return values;
}
