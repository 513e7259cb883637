import { abortedRequests } from './aborted-requests.ts';
import type { Attack } from './attack.ts';
import { backtrackingHeaders } from './backtracking-headers.ts';
import { bulkRefusals } from './bulk-refusals.ts';
import { combiningMarks } from './combining-marks.ts';
import { consoleLogins } from './console-logins.ts';
import { crawler } from './crawler.ts';
import { dnsPointers } from './dns-pointers.ts';
import { eppCertificateChains } from './epp-certificate-chains.ts';
import { eppFeeChecks } from './epp-fee-checks.ts';
import { eppHellos } from './epp-hellos.ts';
import { eppIdnChecks } from './epp-idn-checks.ts';
import { eppJunkElements } from './epp-junk-elements.ts';
import { eppLargeFrames } from './epp-large-frames.ts';
import { eppLogins } from './epp-logins.ts';
import { eppPieces } from './epp-pieces.ts';
import { eppSessionRecords } from './epp-session-records.ts';
import { eppStrangers } from './epp-strangers.ts';
import { eppTinyRecords } from './epp-tiny-records.ts';
import { eppUncountedFrames } from './epp-uncounted-frames.ts';
import { eppUnfinishedFrames } from './epp-unfinished-frames.ts';
import { formFields } from './form-fields.ts';
import { httpsTinyChunks } from './https-tiny-chunks.ts';
import { httpsTinyRecords } from './https-tiny-records.ts';
import { httpsUnreadDocuments } from './https-unread-documents.ts';
import { idnLists } from './idn-lists.ts';
import { imports } from './imports.ts';
import { pipelinedRequests } from './pipelined-requests.ts';
import { rewrittenCertificates } from './rewritten-certificates.ts';
import { slowBodies } from './slow-bodies.ts';
import { uncompressedDocuments } from './uncompressed-documents.ts';
import { unfinishedBodies } from './unfinished-bodies.ts';
import { unfinishedImports } from './unfinished-imports.ts';
import { unknownMembers } from './unknown-members.ts';
import { unreadAnswers } from './unread-answers.ts';
import { whoisQueries } from './whois-queries.ts';

/** By which a hostile client once stopped the service, or may try to. */
export const attacks: readonly Attack[] = [
  unreadAnswers,
  pipelinedRequests,
  backtrackingHeaders,
  slowBodies,
  unfinishedBodies,
  unfinishedImports,
  imports,
  abortedRequests,
  bulkRefusals,
  combiningMarks,
  uncompressedDocuments,
  crawler,
  formFields,
  unknownMembers,
  idnLists,
  consoleLogins,
  eppStrangers,
  eppPieces,
  eppFeeChecks,
  eppIdnChecks,
  eppLargeFrames,
  eppUnfinishedFrames,
  eppJunkElements,
  eppUncountedFrames,
  eppLogins,
  eppTinyRecords,
  eppSessionRecords,
  eppHellos,
  eppCertificateChains,
  dnsPointers,
  whoisQueries,
  rewrittenCertificates,
  httpsTinyRecords,
  httpsTinyChunks,
  httpsUnreadDocuments,
];
