// The keychain of the operating system, by the program that it has for it. A value goes in on standard input, never as an argument, which others could read.
import { spawnSync } from 'node:child_process';

/** Texts by account, under the name of this program. Nothing throws: a keychain that does not answer is none. */
export interface Keychain {
  find(account: string): string | undefined;
  /** False where it was not kept, or does not come back. */
  keep(account: string, text: string): boolean;
  forget(account: string): void;
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly input?: string;
}

/** How a system's program is asked. */
interface Program {
  find(account: string): Command;
  keep(account: string, text: string): Command;
  forget(account: string): Command;
}

const SERVICE = 'weft-vault';
/** A keychain that asks a person for its password may never answer; the agent starts without it. */
const TIMEOUT_MS = 5000;

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, Program>>> = {
  // libsecret: GNOME Keyring, KWallet and others of the Secret Service.
  linux: {
    find: (account) => ({ file: 'secret-tool', args: ['lookup', 'service', SERVICE, 'account', account] }),
    keep: (account, text) => ({
      file: 'secret-tool',
      args: ['store', '--label=Weft vault', 'service', SERVICE, 'account', account],
      input: text,
    }),
    forget: (account) => ({ file: 'secret-tool', args: ['clear', 'service', SERVICE, 'account', account] }),
  },
  darwin: {
    find: (account) => ({ file: 'security', args: ['find-generic-password', '-s', SERVICE, '-a', account, '-w'] }),
    // Its interactive form reads commands from standard input.
    keep: (account, text) => ({
      file: 'security',
      args: ['-i'],
      input: `add-generic-password -U -s ${SERVICE} -a ${account} -w ${text}\n`,
    }),
    forget: (account) => ({ file: 'security', args: ['delete-generic-password', '-s', SERVICE, '-a', account] }),
  },
};

/** The keychain of this system; undefined where Weft knows none, which is also so on Windows. */
export function systemKeychain(platform: NodeJS.Platform = process.platform): Keychain | undefined {
  const program = PROGRAMS[platform];
  if (!program) return undefined;
  const find = (account: string) => run(program.find(account))?.trim() || undefined;
  return {
    find,
    keep: (account, text) => run(program.keep(account, text)) !== undefined && find(account) === text,
    forget: (account) => void run(program.forget(account)),
  };
}

/** What the program prints; undefined where it is not there, fails, or takes too long. */
function run({ file, args, input = '' }: Command): string | undefined {
  const { status, stdout } = spawnSync(file, [...args], {
    input,
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}
