import type { Attack } from './attack.ts';
import { backtrackingHeaders } from './backtracking-headers.ts';
import { bulkRefusals } from './bulk-refusals.ts';
import { combiningMarks } from './combining-marks.ts';
import { crawler } from './crawler.ts';
import { eppFeeChecks } from './epp-fee-checks.ts';
import { eppIdnChecks } from './epp-idn-checks.ts';
import { eppLargeFrames } from './epp-large-frames.ts';
import { rewrittenCertificates } from './rewritten-certificates.ts';
import { slowBodies } from './slow-bodies.ts';
import { uncompressedDocuments } from './uncompressed-documents.ts';
import { unreadAnswers } from './unread-answers.ts';

/** By which a hostile client once stopped the service, or may try to; the last one needs a server that speaks TLS. */
export const attacks: readonly Attack[] = [
  ...[unreadAnswers, backtrackingHeaders, slowBodies, bulkRefusals, combiningMarks],
  ...[uncompressedDocuments, crawler, eppFeeChecks, eppIdnChecks, eppLargeFrames, rewrittenCertificates],
];
