// Server-sent events of an answer that is streamed: https://html.spec.whatwg.org/multipage/server-sent-events.html
import { PageError } from '../../errors.ts';

/** The JSON of each event of a whole body, in order, up to the mark that ends the stream; undefined where one of them is no JSON. */
export function readEventData(body: string): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const block of body.replace(/\r\n?/g, '\n').split('\n\n')) {
    const data = dataOf(block);
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

/** Looks at a body as it comes: an event that is no JSON is a reason to read no further. Any other body is none of its business. */
export function createEventCheck(): (piece: Uint8Array) => Error | undefined {
  const decoder = new TextDecoder();
  let rest = '';
  let isEvents: boolean | undefined;
  return (piece) => {
    if (isEvents === false) return undefined;
    rest += decoder.decode(piece, { stream: true }).replace(/\r\n?/g, '\n');
    if (isEvents === undefined && rest.trimStart().length > 6) isEvents = /^\s*(?:data|event|id|retry|):/.test(rest);
    if (isEvents !== true) return undefined;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.some((block) => readEventData(block) === undefined)
      ? new PageError('truncated', 'An event of the stream is no JSON.')
      : undefined;
  };
}

function dataOf(block: string): string {
  const lines = block.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
  return lines.join('\n');
}
