// Measures what checks take of the one thread that all of them share.

/** The CPU of this thread while any check was under way, whatever it was for; each moment counts once. */
export class LoopMeter {
  private readonly cpuMs: () => number;
  private underWay = 0;
  private readMs = 0;

  /** `cpuMs` is what the thread has taken since it began, in milliseconds. */
  constructor(cpuMs: () => number = threadCpuMs) {
    this.cpuMs = cpuMs;
  }

  /** Measures while `work` is under way. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay++ === 0) this.readMs = this.cpuMs();
    try {
      return await work();
    } finally {
      this.underWay--;
    }
  }

  /** Milliseconds since it was read last, or since the first of what is under way began. */
  read(): number {
    const beforeMs = this.readMs;
    this.readMs = this.cpuMs();
    return this.readMs - beforeMs;
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
