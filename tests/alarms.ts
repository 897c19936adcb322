// Alarms of clocks that tests move: they ring once time has come to them, and move nothing by themselves.

export class Alarms {
  private readonly set = new Set<{ readonly atMs: number; readonly ring: () => void }>();

  /** Rings at `atMs`, unless the returned function is called before. */
  at(atMs: number, ring: () => void): () => void {
    const alarm = { atMs, ring };
    this.set.add(alarm);
    return () => void this.set.delete(alarm);
  }

  /** Rings all that are due at `nowMs`. */
  ring(nowMs: number): void {
    for (const alarm of this.set) if (alarm.atMs <= nowMs && this.set.delete(alarm)) alarm.ring();
  }
}
