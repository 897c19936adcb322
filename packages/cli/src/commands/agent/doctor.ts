// weft doctor: checks what the agent needs, each line with the command that mends it.
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { HealthPart } from '@weft/contract';
import { createClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

const NODE_MAJOR_MIN = 24;
const DEFAULT_PORT = 8131;
const OTHER_HOME = 'set SERVICE_HOME to a folder of your own';
const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

export const run: CommandRun = async (context, _args, options) => {
  const verified = options['verify'] === true ? await verifiedParts(context) : [];
  const local = [nodePart(), homePart(context), proxyPart(context), ...(await agentParts(context)), ...verified];
  const worst = local.some((part) => part.status === 'fail') ? 'fail' : local.some((part) => part.status === 'warn') ? 'warn' : 'ok';
  context.show({ status: worst, parts: local }, local.map(line).join('\n'));
  return worst === 'fail' ? EXIT.failed : EXIT.done;
};

function line(part: HealthPart): string {
  return `${MARK[part.status]}  ${part.name.padEnd(12)} ${part.message}${part.fix && part.status !== 'ok' ? `\n      fix: ${part.fix}` : ''}`;
}

function nodePart(): HealthPart {
  const major = Number(process.versions.node.split('.')[0]);
  return major >= NODE_MAJOR_MIN
    ? { name: 'node', status: 'ok', message: `Node ${process.versions.node}` }
    : {
        name: 'node',
        status: 'fail',
        message: `Node ${process.versions.node}; ${NODE_MAJOR_MIN} or later is needed.`,
        fix: 'start it through ./weft or npm start',
      };
}

function homePart(context: CommandContext): HealthPart {
  const { home } = context.environment;
  if (!existsSync(home))
    return canMakeFolder(home)
      ? { name: 'home', status: 'ok', message: `${home} will be made at the first start.` }
      : { name: 'home', status: 'fail', message: `${home} can't be made.`, fix: OTHER_HOME };
  if (!statSync(home).isDirectory()) return { name: 'home', status: 'fail', message: `${home} is not a folder.`, fix: OTHER_HOME };
  try {
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch {
    return { name: 'home', status: 'fail', message: `${home} can't be written.`, fix: `chown -R "$USER" '${home}'` };
  }
  const isOpen = (statSync(home).mode & 0o077) !== 0;
  return isOpen
    ? { name: 'home', status: 'warn', message: `${home} can be read by others.`, fix: `chmod 700 '${home}'` }
    : { name: 'home', status: 'ok', message: `${home} is private and writable.` };
}

/** Whether the folder above that exists takes a new one; the permissions alone do not tell. */
function canMakeFolder(path: string): boolean {
  const above = dirname(path);
  if (!existsSync(above)) return canMakeFolder(above);
  try {
    rmdirSync(mkdtempSync(join(above, '.weft-doctor-')));
    return true;
  } catch {
    return false;
  }
}

function proxyPart(context: CommandContext): HealthPart {
  const set = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'].filter((name) => context.environment.variables[name]);
  return set.length === 0
    ? { name: 'proxy', status: 'ok', message: 'No proxy variable is set.' }
    : { name: 'proxy', status: 'warn', message: `${set.join(', ')} is set; the agent ignores it.`, fix: 'reach pages without a proxy' };
}

async function agentParts(context: CommandContext): Promise<readonly HealthPart[]> {
  const found = await context.find().catch(() => undefined);
  if (!found)
    return [
      { name: 'agent', status: 'warn', message: 'No agent runs on this home.', fix: 'weft daemon start' },
      ...(await portParts(context)),
      certificatePart(context),
    ];
  const health = await createClient(found).agent.health({}, { signal: context.signal });
  return [{ name: 'agent', status: 'ok', message: `answers on ${found.baseUrl}` }, ...health.parts, certificatePart(context)];
}

/** All files, read to the end: the one part that takes as long as the disk does. */
async function verifiedParts(context: CommandContext): Promise<readonly HealthPart[]> {
  const client = await context.client();
  const { contents, bytes, damaged } = await client.files.verify({}, { signal: context.signal });
  const read = `${contents} contents, ${Math.round(bytes / 1_000_000)} MB`;
  if (damaged.length === 0) return [{ name: 'verify', status: 'ok', message: `All files are whole: ${read}.` }];
  return damaged.map(({ id, name }) => ({
    name: 'verify',
    status: 'fail',
    message: `${id} (${name}) is damaged or gone.`,
    fix: `restore the home's folder "blobs" from a copy, or: weft file rm ${id}`,
  }));
}

async function portParts(context: CommandContext): Promise<readonly HealthPart[]> {
  const port = Number(context.environment.variables['SERVICE_PORT'] || DEFAULT_PORT);
  const parts: HealthPart[] = [];
  for (const candidate of [port, port + 1])
    parts.push(
      (await isFree(candidate))
        ? { name: 'port', status: 'ok', message: `${candidate} is free.` }
        : {
            name: 'port',
            status: 'fail',
            message: `${candidate} is taken by another program.`,
            fix: `SERVICE_PORT=9131 weft daemon start   (who has it: ss -ltnp | grep ${candidate})`,
          },
    );
  return parts;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function certificatePart(context: CommandContext): HealthPart {
  const path = join(context.environment.home, 'tls', 'ca.pem');
  return existsSync(path)
    ? { name: 'certificate', status: 'ok', message: `Trust the HTTPS twin with: curl --cacert ${path} ...` }
    : { name: 'certificate', status: 'ok', message: 'The certificate authority is made at the first start.' };
}
