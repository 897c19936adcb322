// Decides a certificate again from the answers that were kept, without asking anybody.
import { PageError } from '../../errors.ts';
import type { Row } from '../../run/reading/rows.ts';
import { sha256 } from '../../sha256.ts';
import type { Certificate, Probe, ProbeRole, ProofState } from './certificate.ts';
import { readRows } from './read-rows.ts';
import { decideProof } from './rules.ts';
import type { ProofFacts } from './rules.ts';

/** What came of looking again. */
export interface Verification {
  /** True where every answer is the one that was kept, gives the same rows, and the rules say the same. */
  readonly holds: boolean;
  /** As the rules decide now; absent where answers are missing or are others. */
  readonly state?: ProofState;
  /** What is not as the certificate says, a sentence each. */
  readonly faults: readonly string[];
}

/** Reads every answer of `certificate` again, which `read` finds by its SHA-256, and decides. */
export async function verifyCertificate(
  certificate: Certificate,
  read: (sha256: string) => Promise<Uint8Array | undefined>,
): Promise<Verification> {
  const faults: string[] = [];
  const rows: Partial<Record<ProbeRole, readonly Row[]>> = {};
  for (const probe of certificate.probes) {
    const found = await rowsAgain(certificate, probe, read);
    if (typeof found === 'string') faults.push(found);
    else if (found) rows[probe.role] = found;
  }
  if (faults.length > 0) return { holds: false, faults };
  const decided = decideProof(factsOf(certificate, rows));
  if (decided.state !== certificate.state)
    faults.push(`The certificate says ${certificate.state}, and its answers say ${decided.state}: ${decided.reason}`);
  if (JSON.stringify(decided.rules) !== JSON.stringify(certificate.rules))
    faults.push('The numbers of the rules are others than those of the certificate.');
  return { holds: faults.length === 0, state: decided.state, faults };
}

/** What the rules compare of `certificate`. */
export function factsOf(certificate: Omit<Certificate, 'state' | 'reason' | 'rules'>, rows: ProofFacts['rows']): ProofFacts {
  const { kind, hasInput, isWord, hasChoices, isSeen, otherWords, hasPages, pageRows, madeRows, required, probes } = certificate;
  const words = Object.fromEntries(probes.flatMap(({ role, word }) => (word === undefined ? [] : [[role, word]])));
  return { kind, hasInput, isWord, hasChoices, isSeen, otherWords, hasPages, pageRows, madeRows, required, rows, words };
}

/** The rows of a probe; undefined for one that could not be made, a sentence for one that is not as it was. */
async function rowsAgain(
  { reading }: Certificate,
  { role, answer, rows, rowsSha256, failure }: Probe,
  read: (sha256: string) => Promise<Uint8Array | undefined>,
): Promise<readonly Row[] | string | undefined> {
  if (!answer) return failure === undefined ? `The call ${role} has neither an answer nor a reason.` : undefined;
  if (failure !== undefined && rows === 0) return [];
  const body = await read(answer.sha256);
  if (!body) return `The answer of the call ${role} is not there: ${answer.sha256}.`;
  if (sha256(body) !== answer.sha256) return `The answer of the call ${role} is another one than was kept.`;
  try {
    const found = await readRows(reading, { ...answer, contentType: answer.contentType, body });
    const isSame = found.length === rows && hashOfRows(found) === rowsSha256;
    return isSame ? found : `The answer of the call ${role} gives other rows: ${found.length}, and ${rows} were counted.`;
  } catch (error) {
    if (error instanceof PageError) return `The answer of the call ${role} can't be read: ${error.message}`;
    throw error;
  }
}

/** The hash by which rows are told from others. */
export function hashOfRows(rows: readonly Row[]): string {
  return sha256(JSON.stringify(rows));
}
