// Generated from the folders that have a `group.ts` by `npm run generate`. Do not edit.
import { group as agent } from '../agent/group.ts';
import { group as auth } from '../auth/group.ts';
import { group as automations } from '../automations/group.ts';
import { group as crawl } from '../crawl/group.ts';
import { group as data } from '../data/group.ts';
import { group as datasets } from '../datasets/group.ts';
import { group as extract } from '../extract/group.ts';
import { group as extractors } from '../extractors/group.ts';
import { group as files } from '../files/group.ts';
import { group as hosts } from '../hosts/group.ts';
import { group as keys } from '../keys/group.ts';
import { group as map } from '../map/group.ts';
import { group as mcp } from '../mcp/group.ts';
import { group as monitors } from '../monitors/group.ts';
import { group as notices } from '../notices/group.ts';
import { group as oauth } from '../oauth/group.ts';
import { group as personas } from '../personas/group.ts';
import { group as runs } from '../runs/group.ts';
import { group as schedule } from '../schedule/group.ts';
import { group as secrets } from '../secrets/group.ts';
import { group as selectors } from '../selectors/group.ts';
import { group as token } from '../token/group.ts';
import { group as vault } from '../vault/group.ts';
import { group as workflows } from '../workflows/group.ts';
import { group as wsTicket } from '../ws-ticket/group.ts';
import type { Group } from '../group.ts';

export const GROUPS: readonly Group[] = [agent, auth, automations, crawl, data, datasets, extract, extractors, files, hosts, keys, map, mcp, monitors, notices, oauth, personas, runs, schedule, secrets, selectors, token, vault, workflows, wsTicket];
