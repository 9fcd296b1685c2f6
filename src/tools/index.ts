import { updateCompanySetting, updateSubscription } from './account.ts';
import { checkDocuments } from './analysis/check.ts';
import { exportDocuments } from './analysis/export.ts';
import { listPendingManifestations } from './analysis/pending.ts';
import { queryDocuments } from './analysis/query.ts';
import { checkConnection, renewSasUrl } from './connection.ts';
import type { Tool } from './definition.ts';
import { getDocument } from './document.ts';
import { listDocumentKeys, listIntegrationKeys } from './document-keys.ts';
import { listDocuments } from './document-lists.ts';
import { getNfeEventStatus } from './event-status.ts';
import { manifestNfe, manifestNfeBatch } from './manifestation.ts';
import { getNfeClassifications, listNfeCovers, listNfeSummaries } from './nfe-records.ts';

/** Every tool, in the order in which hosts list them. Adding a tool is a file and a line here. */
export const tools: readonly Tool[] = [
  checkConnection,
  listDocumentKeys,
  listIntegrationKeys,
  listDocuments,
  listNfeSummaries,
  listNfeCovers,
  getNfeClassifications,
  getDocument,
  renewSasUrl,
  getNfeEventStatus,
  manifestNfe,
  manifestNfeBatch,
  updateCompanySetting,
  updateSubscription,
  queryDocuments,
  listPendingManifestations,
  checkDocuments,
  exportDocuments,
];
