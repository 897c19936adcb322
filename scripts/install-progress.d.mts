export function progressText(nowMb: number, at: { readonly beganMb: number; readonly totalMb: number; readonly elapsedMs: number }): string;
