// Programs that a person let in by OAuth 2.1 (D18).
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** What one approval gave to one program; its tokens and the runs that it starts belong to it. */
export const OAuthGrant = z
  .strictObject({
    id: z.string().describe('`grant_...`'),
    client_id: z.string(),
    client_name: z.string().describe('As the program calls itself.'),
    scopes: z.literal('run'),
    resource: z.string().describe('The address of this agent that its tokens work at.'),
    created_at: instant,
    last_used_at: instant.optional(),
    expires_at: instant.describe('When it ends unless its program renews it.'),
  })
  .meta({ id: 'OAuthGrant' });
export type OAuthGrant = z.infer<typeof OAuthGrant>;

/** What a person types into the consent page. */
export const OAuthApproval = z
  .strictObject({ code: z.string().describe('Good for one decision.'), expires_at: instant })
  .meta({ id: 'OAuthApproval' });
export type OAuthApproval = z.infer<typeof OAuthApproval>;
