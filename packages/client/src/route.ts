// The shape of the generated list of routes.

/** One row of the generated list. */
export interface ClientRoute {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** Statuses outside 2xx that carry a result. */
  readonly answers: readonly number[];
  /** A repetition under one key is answered with what the first made. */
  readonly isReplayed?: true;
  /** What it is called with where that is not the token of the surface. */
  readonly by?: 'device' | 'consumer';
  readonly kind: 'json' | 'none' | 'events' | 'raw';
}
