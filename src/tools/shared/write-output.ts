import * as z from 'zod';

/** Output schema common to writes. */
export const writeOutcomeShape = () => ({
  status: z.enum(['confirmation_required', 'done', 'partly', 'refused', 'not_sent', 'unknown']),
  reason: z.enum(['preview_changed', 'token_spent', 'token_expired', 'declined']).optional(),
  preview: z.string().optional(),
  confirmation_token: z.string().optional(),
  expires_at: z.string().optional(),
});

/** Argument that returns a preview's token. */
export const confirmationToken = () => z.string().min(1).optional().describe("After the person's yes");
