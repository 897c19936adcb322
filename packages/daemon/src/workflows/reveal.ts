// Looks up what templates name as secret, for the origin that it is about to be sent to (D34).
import { AppError } from '@weft/contract';
import { RunFault } from '@weft/engine';
import type { CrawlClock, WorkflowPorts, WorkflowDefinition } from '@weft/engine';
import type { Personas } from '../personas/persona.ts';
import type { Secrets } from '../secrets/secret.ts';
import type { Vault } from '../vault/vault.ts';

export interface RevealPorts {
  readonly secrets: Secrets;
  readonly personas: Personas;
  readonly clock: CrawlClock;
}

/** Asks a person for a code. */
export type AskCode = (instructions: string, signal: AbortSignal) => Promise<string>;

/** How the references of one run are looked up; `askCode` is for personas whose codes come by mail or message. */
export function createReveal({ secrets, personas, clock }: RevealPorts, askCode: AskCode): WorkflowPorts['reveal'] {
  return async (reference, origin, personaId, signal) => {
    try {
      if (reference.kind === 'secret') return secrets.valueFor(reference.key, origin);
      if (personaId === undefined) throw new RunFault('input', 'A value of a persona is named, and the workflow has no "persona_id".');
      if (reference.field !== 'totp')
        return requireValue(personas.valueFor(personaId, reference.field, origin), reference.field, personaId);
      const { name, two_factor: twoFactor } = personas.require(personaId);
      if (twoFactor === 'ask') return await askCode(`Send the code that ${name} was sent.`, signal);
      const { code, fromMs } = personas.spendCode(personaId, origin);
      await clock.sleepUntil(clock.steadyMs() + fromMs - clock.now(), signal);
      return code;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new RunFault(error.code === 'vault_locked' ? 'vault_locked' : 'input', error.message);
    }
  };
}

function requireValue(value: string | undefined, field: string, id: number): string {
  if (value !== undefined) return value;
  throw new RunFault('input', `Persona ${id} has no ${field}.`);
}

/** Throws AppError `vault_locked` where the workflow names a persona or a secret and the vault is locked (D33). */
export function requireOpenVault(definition: WorkflowDefinition, vault: Pick<Vault, 'require'>): void {
  if (definition.persona_id !== undefined || /\{\{\s*(?:secret\s*:|persona\.)/.test(JSON.stringify(definition))) vault.require();
}
