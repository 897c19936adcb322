// Hears a stream of server-sent events.
import { TextDecoderStream } from 'node:stream/web';

/** Calls `hear` with the data of each event, as it comes, until the stream ends. Throws where it is refused. */
export async function hearEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  hear: (event: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data:')) hear(JSON.parse(line.slice('data:'.length)) as Readonly<Record<string, unknown>>);
  }
}
