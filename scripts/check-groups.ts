// Holds every group to its parts on each floor: a folder of the contract without one of them is refused, and so is a part without a folder.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CONTRACT = 'packages/contract/src/groups';

/** Where each part of a group is, below the root, and what it is. */
const PARTS: readonly (readonly [path: (group: string) => string, what: string])[] = [
  [(group) => `${CONTRACT}/${group}/group.ts`, 'what it adds to the tables'],
  [(group) => `packages/daemon/src/${group}/group.ts`, 'what it adds to the agent'],
  [(group) => `packages/daemon/src/${group}/handlers.ts`, 'its handlers'],
  [(group) => `tests/conformance/reach/${group}.ts`, 'the way to each status of its operations'],
];
const commandsOf = (group: string) => `packages/cli/src/commands/${group}/spec.ts`;

export interface GroupReport {
  readonly groupsSeen: number;
  /** One sentence each. */
  readonly problems: readonly string[];
}

/** Every part that is missing of a group, or stands alone, below `root`. */
export function checkGroups(root: string): GroupReport {
  const folders = (path: string) => (existsSync(join(root, path)) ? readdirSync(join(root, path)) : []);
  const groups = folders(CONTRACT);
  const missing = groups.flatMap((group) => [
    ...PARTS.filter(([path]) => !existsSync(join(root, path(group)))).map(
      ([path, what]) => `group ${group} has no ${path(group)}: ${what}`,
    ),
    ...commandProblems(root, group),
  ]);
  const reaches = folders('tests/conformance/reach').map((file) => file.replace(/\.ts$/, ''));
  const handled = folders('packages/daemon/src').filter((folder) => existsSync(join(root, 'packages/daemon/src', folder, 'handlers.ts')));
  const alone = [...new Set([...reaches, ...handled])].filter((group) => !groups.includes(group));
  return {
    groupsSeen: groups.length,
    problems: [...missing, ...alone.map((group) => `${group} has handlers or ways, but no ${CONTRACT}/${group}/`)],
  };
}

function commandProblems(root: string, group: string): string[] {
  const declaration = join(root, CONTRACT, group, 'group.ts');
  const saysWhy = existsSync(declaration) && /^\s*withoutCommands: '.+'/m.test(readFileSync(declaration, 'utf8'));
  const hasCommands = existsSync(join(root, commandsOf(group)));
  if (hasCommands && saysWhy) return [`group ${group} has ${commandsOf(group)}, but says in its group.ts why it has none`];
  return hasCommands || saysWhy
    ? []
    : [`group ${group} has no ${commandsOf(group)}: its commands, or \`withoutCommands\` in its group.ts that says why`];
}

if (import.meta.main) {
  const { groupsSeen, problems } = checkGroups(resolve(process.argv[2] ?? '.'));
  for (const problem of problems) console.error(problem);
  console.log(`${groupsSeen} groups, ${problems.length} parts missing or alone`);
  if (problems.length > 0) process.exitCode = 1;
}
