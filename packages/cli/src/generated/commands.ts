// Generated from the folders of `commands/` by `npm run generate`. Do not edit.
import type { GroupSpec } from '../spec.ts';
import { group as agent } from '../commands/agent/spec.ts';
import { group as automations } from '../commands/automations/spec.ts';
import { group as browser } from '../commands/browser/spec.ts';
import { group as cloud } from '../commands/cloud/spec.ts';
import { group as completion } from '../commands/completion/spec.ts';
import { group as crawl } from '../commands/crawl/spec.ts';
import { group as data } from '../commands/data/spec.ts';
import { group as datasets } from '../commands/datasets/spec.ts';
import { group as extract } from '../commands/extract/spec.ts';
import { group as files } from '../commands/files/spec.ts';
import { group as hosts } from '../commands/hosts/spec.ts';
import { group as keys } from '../commands/keys/spec.ts';
import { group as link } from '../commands/link/spec.ts';
import { group as map } from '../commands/map/spec.ts';
import { group as mcp } from '../commands/mcp/spec.ts';
import { group as monitors } from '../commands/monitors/spec.ts';
import { group as notices } from '../commands/notices/spec.ts';
import { group as oauth } from '../commands/oauth/spec.ts';
import { group as offline } from '../commands/offline/spec.ts';
import { group as personas } from '../commands/personas/spec.ts';
import { group as recordings } from '../commands/recordings/spec.ts';
import { group as secrets } from '../commands/secrets/spec.ts';
import { group as token } from '../commands/token/spec.ts';
import { group as vault } from '../commands/vault/spec.ts';
import { group as workflows } from '../commands/workflows/spec.ts';

export const GROUPS: readonly GroupSpec[] = [agent, automations, browser, cloud, completion, crawl, data, datasets, extract, files, hosts, keys, link, map, mcp, monitors, notices, oauth, offline, personas, recordings, secrets, token, vault, workflows];
