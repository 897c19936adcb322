// Reads and writes YAML within bounds: aliases are counted, and what comes is plain JSON.
import { ExchangeError } from '../../run/exchange/untrusted.ts';

/** What aliases may add up to, against what is written out (the billion laughs). */
const ALIASES_MAX = 100;

/**
 * The documents of a text, in order; empty ones are left out. Throws ExchangeError with the line. `version` 1.1 is what the programs read
 * that are written in Python: `yes` is true there, and `<<` merges.
 */
export async function parseYaml(text: string, version: '1.1' | '1.2'): Promise<readonly unknown[]> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { version, logLevel: 'error', prettyErrors: true, stringKeys: true });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document, place) => {
    const [error] = document.errors;
    if (error) throw new ExchangeError(`The YAML can't be read (document ${place + 1}): ${firstLine(error.message)}`);
    try {
      const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
      return value === null || value === undefined ? [] : [plain(value)];
    } catch (error_) {
      throw new ExchangeError(`The YAML can't be read (document ${place + 1}): ${firstLine((error_ as Error).message)}`);
    }
  });
}

/** Dates, sets and binary data become what JSON has. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))) as unknown;
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}

/** A value as YAML 1.2 that reads back the same. */
export async function writeYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}
