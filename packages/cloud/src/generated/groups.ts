// Generated from the folders that have a `group.ts` by `npm run generate`. Do not edit.
import { group as accounts } from '../accounts/group.ts';
import { group as crawl } from '../crawl/group.ts';
import { group as credits } from '../credits/group.ts';
import { group as hosts } from '../hosts/group.ts';
import { group as keyless } from '../keyless/group.ts';
import { group as map } from '../map/group.ts';
import { group as mcp } from '../mcp/group.ts';
import { group as scrape } from '../scrape/group.ts';
import type { Group } from '../group.ts';

export const GROUPS: readonly Group[] = [accounts, crawl, credits, hosts, keyless, map, mcp, scrape];
