// A message on its way to an HTTP server: always a POST of JSON.

export interface HttpMessage {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}
