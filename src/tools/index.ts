import { updateCompanySetting, updateSubscription } from './account.ts';
import { checkDocuments } from './check/check.ts';
import { checkConnection, renewSasUrl } from './connection.ts';
import { getDocument } from './document.ts';
import { listDocumentKeys, listIntegrationKeys } from './document-keys.ts';
import { listDocuments } from './document-lists.ts';
import { exportDocuments } from './export.ts';
import { getNfeEventStatus, manifestNfe, manifestNfeBatch } from './manifestation/tools.ts';
import { getNfeClassifications, listNfeCovers, listNfeSummaries } from './nfe-records.ts';
import { listPendingManifestations } from './pending.ts';
import { queryDocuments } from './query/query.ts';
import { reconcile } from './reconcile/reconcile.ts';
import type { Tool } from './shared/definition.ts';
import { verifyDocument } from './verify.ts';

/** All tools in listing order. A new tool is a file and a line here. */
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
  reconcile,
  exportDocuments,
  verifyDocument,
];
