// Generated from the folders of `groups/` by `npm run generate`. Do not edit.
import { group as agent } from '../groups/agent/group.ts';
import { group as crawl } from '../groups/crawl/group.ts';
import { group as data } from '../groups/data/group.ts';
import { group as datasets } from '../groups/datasets/group.ts';
import { group as extract } from '../groups/extract/group.ts';
import { group as files } from '../groups/files/group.ts';
import { group as keys } from '../groups/keys/group.ts';
import { group as map } from '../groups/map/group.ts';
import { group as mcp } from '../groups/mcp/group.ts';
import { group as oauth } from '../groups/oauth/group.ts';
import { group as personas } from '../groups/personas/group.ts';
import { group as runs } from '../groups/runs/group.ts';
import { group as secrets } from '../groups/secrets/group.ts';
import { group as token } from '../groups/token/group.ts';
import { group as vault } from '../groups/vault/group.ts';
import { group as workflows } from '../groups/workflows/group.ts';
import { group as wsTicket } from '../groups/ws-ticket/group.ts';

export * from '../groups/agent/agent.ts';
export * from '../groups/crawl/crawl.ts';
export * from '../groups/crawl/page.ts';
export * from '../groups/data/data.ts';
export * from '../groups/datasets/dataset.ts';
export * from '../groups/extract/parts.ts';
export * from '../groups/files/file.ts';
export * from '../groups/keys/key.ts';
export * from '../groups/oauth/grant.ts';
export * from '../groups/personas/persona.ts';
export * from '../groups/runs/event.ts';
export * from '../groups/runs/run.ts';
export * from '../groups/secrets/secret.ts';
export * from '../groups/vault/vault.ts';
export * from '../groups/workflows/condition.ts';
export * from '../groups/workflows/exchange.ts';
export * from '../groups/workflows/step-fields.ts';
export * from '../groups/workflows/step.ts';
export * from '../groups/workflows/steps.ts';
export * from '../groups/workflows/workflow.ts';

/** What each folder adds, in order of their names. */
export const GROUPS = [agent, crawl, data, datasets, extract, files, keys, map, mcp, oauth, personas, runs, secrets, token, vault, workflows, wsTicket] as const;
