// Instants as tables show them, by UTC; JSON has them as the agent gives them.

/** `2026-01-31 09:00`. */
export function minuteText(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

/** `2026-01-31 09:00:05`, where what is close together is told apart. */
export function secondText(instant: string): string {
  return instant.slice(0, 19).replace('T', ' ');
}
