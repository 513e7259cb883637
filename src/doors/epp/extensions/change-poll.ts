import type { Policy } from '../../../policy/policy.ts';
import type { ChangeDetails } from '../../../registry/poll/message-details.ts';
import { shownTime, shownTransactionId } from '../commands/call.ts';
import { type Dialect, NAMESPACES } from '../namespaces.ts';
import { type Markup, xml } from '../xml/write.ts';

/** Of the schema. */
const MAX_REASON_LENGTH = 32;

/** Who changed an object, when and why (RFC 8590). A scheduled step has no transaction of its own. */
export const changeData = (
  { operation, op, at, requestId, who, reason }: ChangeDetails,
  shown: { readonly dialect: Dialect; readonly policy: Policy },
): Markup =>
  xml`<changePoll:changeData xmlns:changePoll="${NAMESPACES.changePoll}" state="after"><changePoll:operation${
    op !== undefined && xml` op="${op}"`
  }>${operation}</changePoll:operation><changePoll:date>${shownTime(at, shown)}</changePoll:date><changePoll:svTRID>${shownTransactionId(requestId)}</changePoll:svTRID><changePoll:who>${who}</changePoll:who>${
    reason !== null && xml`<changePoll:reason>${reason.slice(0, MAX_REASON_LENGTH)}</changePoll:reason>`
  }</changePoll:changeData>`;
