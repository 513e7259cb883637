import { Refused, requireNone } from '../../../operations/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Policy } from '../../../policy/policy.ts';
import { readDomainRecord } from '../../../registry/domains/readings/read-domain-record.ts';
import type { Context } from '../../../registry/operation.ts';
import {
  acknowledgeMessage,
  countUnread,
  type OldestMessage,
  readOldestMessage,
} from '../../../registry/poll/read-messages.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { changeData } from '../extensions/change-poll.ts';
import { refusal } from '../frame-refusals.ts';
import type { Dialect } from '../namespaces.ts';
import { NAMESPACES } from '../namespaces.ts';
import type { Command } from '../epp-request.ts';
import type { Success } from '../response.ts';
import { type Markup, xml } from '../xml/write.ts';
import { shownName, shownTime, shownTransactionId } from './object-handler.ts';
import { transferInfo } from './domain-transfer.ts';
import { domainInfo } from './domain-view.ts';

type PollCall = {
  readonly command: Command;
  readonly database: Database;
  readonly policy: Policy;
  readonly context: Context;
  /** Of domains in answers: poll itself has no object. */
  readonly namespace: string;
  readonly dialect: Dialect;
  readonly isExpected: (namespace: string) => boolean;
};

/** The oldest message first, so that a client that acknowledges what it has read empties the queue. */
export async function poll(call: PollCall): Promise<Success> {
  const { reader, element } = call.command;
  reader.empty(element);
  const operation = reader.choice(element, 'op', ['req', 'ack'], 'req');
  if (element.attributes.op === undefined) reader.refuse('elementMissing', element);
  const id = element.attributes.msgID?.trim();
  if (operation === 'ack' && !id) reader.refusals.push(refusal('elementMissing', { field: 'msgID' }));
  requireNone(reader.refusals);
  return operation === 'ack' ? acknowledge(call, id ?? '') : readOldest(call);
}

async function readOldest(call: PollCall): Promise<Success> {
  const { database, context } = call;
  const message = await readOldestMessage(database.reads, context);
  if (!message) return { code: 1300 };
  const { data, extension } = await detailsOf(message, call);
  return {
    code: 1301,
    queue: xml`<msgQ count="${message.count}" id="${message.id}"><qDate>${shownTime(message.createdAt, call)}</qDate><msg lang="en">${message.text}</msg></msgQ>`,
    data,
    extensions: [extension],
  };
}

async function acknowledge({ database, context }: PollCall, text: string): Promise<Success> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  await runRegistryOperation(database, acknowledgeMessage, { id, onlyUnread: true }, context);
  const count = await countUnread(database.reads, context);
  return { code: 1000, queue: xml`<msgQ count="${count}" id="${text}"/>` };
}

type Details = { readonly data?: Markup | undefined; readonly extension?: Markup | undefined };

/** What the message is about, in the elements that EPP has for it. */
async function detailsOf({ details }: OldestMessage, call: PollCall): Promise<Details> {
  switch (details?.kind) {
    case 'transfer':
      return { data: transferInfo({ ...details, transferredAt: details.at }, call) };
    case 'pending action': {
      const client = details.clientTransactionId;
      const envelope = NAMESPACES.envelope[call.dialect];
      return {
        data: xml`<domain:panData xmlns:domain="${call.namespace}"><domain:name paResult="${details.succeeded ? 1 : 0}">${shownName(details.name, call)}</domain:name><domain:paTRID>${
          client !== null && xml`<clTRID xmlns="${envelope}">${client}</clTRID>`
        }<svTRID xmlns="${envelope}">${shownTransactionId(details.requestId)}</svTRID></domain:paTRID><domain:paDate>${shownTime(details.at, call)}</domain:paDate></domain:panData>`,
      };
    }
    case 'change':
      return {
        data: details.object === 'domain' ? await presentState(details.name, call) : undefined,
        extension: call.isExpected(NAMESPACES.changePoll) ? changeData(details, call) : undefined,
      };
    default:
      return {};
  }
}

/** The domain as it is now; nothing if it has been deleted or transferred since. */
async function presentState(name: string, call: PollCall): Promise<Markup | undefined> {
  const { database, context } = call;
  const domain = await readDomainRecord(database, name, context).catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  const isOwn = domain?.sponsor === context.principal.registrarCode;
  return isOwn ? domainInfo(domain, call) : undefined;
}
