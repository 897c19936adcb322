// Beyond the specification: the addresses of a site.
import { z } from 'zod';
import { webUrl } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { SitemapUse } from '../crawl/crawl.ts';
import { RunFailure } from '../runs/run.ts';

const LINKS_MAX = 5000;

/** What a map takes. */
export const MapSite = z
  .strictObject({
    url: webUrl.describe('A page of the site; its own links count as well.'),
    search: z.string().min(1).max(500).optional().describe('Words that rank the links.'),
    limit: z.int().min(1).max(LINKS_MAX).optional().describe(`How many links at most; ${LINKS_MAX} unless said.`),
    sitemap: SitemapUse.optional().describe('`include` unless said.'),
    allow_subdomains: z.boolean().optional(),
    respect_robots: z.boolean().optional().describe('True unless said; false needs the admin scope.'),
  })
  .meta({ id: 'MapSite' });

const MappedLink = z
  .strictObject({
    url: z.string(),
    source: z.enum(['sitemap', 'link', 'crawl']).describe('Where it was found first.'),
    title: z.string().optional().describe('The words of a link to it.'),
    score: z.number().optional().describe('With `search`: how well it fits.'),
  })
  .meta({ id: 'MappedLink' });

/** The addresses of a site. */
export const MappedSite = z
  .strictObject({
    url: z.string(),
    links: z.array(MappedLink).describe('With `search` the best first, else in the order found.'),
    count: z.int().min(0).describe('Length of `links`.'),
    complete: z.boolean().describe('False where a limit or the end of the minute left addresses unread.'),
    status: z
      .int()
      .optional()
      .describe('What the page that was named answered with; absent where it was not asked for, or did not answer.'),
    failure: RunFailure.optional().describe('Why the page that was named could not be read; without any links, why nothing could be had.'),
  })
  .meta({ id: 'MappedSite' });

export const map = {
  run: {
    id: 'map.run',
    method: 'POST',
    path: '/x/map',
    summary: 'list the addresses of a site from its sitemaps and its links, for a minute at most',
    scopes: ['run'],
    body: MapSite,
    replies: { 200: json(MappedSite, 'What was found; a site that can not be reached has a `failure`.') },
  },
} as const satisfies OperationGroup;
