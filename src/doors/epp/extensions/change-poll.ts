import type { Policy } from '../../../policy/policy.ts';
import type { ChangeDetails } from '../../../registry/poll/message-details.ts';
import { shownTime, shownTransactionId } from '../commands/object-handler.ts';
import { type Dialect, NAMESPACES } from '../namespaces.ts';
import { type Markup, xml } from '../xml/write.ts';

/**
 * Who changed an object and when (RFC 8590). A scheduled step has no transaction of its own. The names of operators and
 * the reasons that they give are kept in history for the registry; what a registrar is told stands in the message.
 */
export const changeData = (
  { operation, op, at, requestId, who }: ChangeDetails,
  shown: { readonly dialect: Dialect; readonly policy: Policy },
): Markup =>
  xml`<changePoll:changeData xmlns:changePoll="${NAMESPACES.changePoll}" state="after"><changePoll:operation${
    op !== undefined && xml` op="${op}"`
  }>${operation}</changePoll:operation><changePoll:date>${shownTime(at, shown)}</changePoll:date><changePoll:svTRID>${shownTransactionId(requestId)}</changePoll:svTRID><changePoll:who>${who.startsWith('operator:') ? 'registry' : who}</changePoll:who></changePoll:changeData>`;
