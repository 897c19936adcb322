// Every open stream and WebSocket by its actor, so that a deleted key or a shutdown ends them at once (D14).

export interface StreamRegistry {
  /** A signal for a stream of `actorId`; `done` forgets it. */
  open(actorId: string): { readonly signal: AbortSignal; done(): void };
  /** Ends all streams of one actor. */
  endOf(actorId: string): void;
  endAll(): void;
  /** How many are open. */
  count(): number;
}

export function createStreamRegistry(): StreamRegistry {
  const open = new Map<AbortController, string>();
  const end = (wanted: (actorId: string) => boolean) => {
    for (const [controller, actorId] of open) if (wanted(actorId)) controller.abort();
  };
  return {
    open(actorId) {
      const controller = new AbortController();
      open.set(controller, actorId);
      return { signal: controller.signal, done: () => open.delete(controller) };
    },
    endOf: (actorId) => end((id) => id === actorId),
    endAll: () => end(() => true),
    count: () => open.size,
  };
}
