// Reads server-sent events from a response body.

/** One event as it came; its data is text. */
export interface StreamedEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a `text/event-stream` body, until it ends. Comments are passed over; an event cut off at the end is dropped. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  let id: string | undefined;
  let data: string[] = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (pending + decoder.decode(part.value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      pending = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { id, data: data.join('\n') };
          data = [];
        } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
        else if (line.startsWith('id:')) id = line.slice(3).trim();
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
