// Sends bytes to a port as they are, for requests that no HTTP client would make.
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection closed without a status line. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes `bytes` to 127.0.0.1 and reads until the peer closes; the caller's request should say `Connection: close`. */
export function rawRequest(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses may close while the rest is still being sent.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(parseAnswer(Buffer.concat(chunks).toString('latin1')));
      else reject(error);
    });
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('latin1'))));
    socket.write(bytes);
  });
}

export interface RequestLines {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Header lines as they are sent; `Connection: close` is added. */
  readonly headers: readonly string[];
  readonly body?: string;
}

/** The text of one request. */
export function requestText({ method = 'GET', target = '/v1/agent', version = '1.1', headers, body = '' }: RequestLines): string {
  return `${method} ${target} HTTP/${version}\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end < 0 ? text.length : end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim();
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0), headers, body: end < 0 ? '' : text.slice(end + 4) };
}
