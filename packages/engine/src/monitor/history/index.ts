// How values and states went over time, apart from the rest of the engine: a thread that reads no pages loads this alone.
export * from './durations.ts';
export * from './series.ts';
export * from './shown.ts';
