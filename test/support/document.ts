import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { withPartsInPlace } from '../../src/doors/http/openapi-components.ts';

type Responses = Record<string, { content?: { 'application/json'?: { schema: object } } }>;
type Operation = { operationId: string; responses: Responses };
export type OpenApi = {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: object } } } } }
  >;
  components: { schemas: object };
};

export type FoundOperation = { readonly id: string; readonly statuses: readonly string[] };

/** The API document as a judge of answers. It is read from the server under test and compiled by a validator of its own. */
export class ApiDocument {
  readonly document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  /** By the schema's text: most refusals of all calls have the same. */
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #byOperation = new Map<string, ValidateFunction>();
  readonly #paths: readonly { pattern: RegExp; operations: Record<string, Operation> }[];

  constructor(document: OpenApi) {
    this.document = withPartsInPlace(document);
    this.#ajv.addSchema({ $id: 'api', components: document.components });
    this.#paths = Object.entries(this.document.paths)
      .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
      .map(([path, operations]) => ({
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        operations,
      }));
  }

  static async of(server: string, path = '/openapi.json'): Promise<ApiDocument> {
    const url = (inThisProcess.has(server) ? '' : server) + path;
    const known = documents.get(url) ?? readDocument(server + path);
    documents.set(url, known);
    return known;
  }

  find(method: string, path: string): FoundOperation | undefined {
    const operation = this.#operation(method, path);
    return operation && { id: operation.operationId, statuses: Object.keys(operation.responses) };
  }

  operations(): FoundOperation[] {
    return Object.values(this.document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId, responses }) => ({
        id: operationId,
        statuses: Object.keys(responses),
      })),
    );
  }

  /** The type of an answer that is something to print. */
  documentType(method: string, path: string, status: number): string | undefined {
    const content = this.#operation(method, path)?.responses[status]?.content ?? {};
    return Object.keys(content).find((type) => type !== 'application/json');
  }

  /** What is wrong with an answer, by the document; empty when nothing is. */
  complaints(method: string, path: string, status: number, body: unknown): string[] {
    const operation = this.#operation(method, path);
    const response = operation?.responses[status];
    if (operation && !response) return [`${operation.operationId} does not document status ${status}`];
    const schema = response?.content?.['application/json']?.schema ?? undocumentedPath(this.document);
    const validate = this.#compile(`${operation?.operationId ?? 'none'} ${status}`, schema);
    return validate(body)
      ? []
      : [`${method} ${path} ${status}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`];
  }

  /** What is wrong with an event that was received, by the document. */
  complaintsAboutEvent(event: { readonly type: string }): string[] {
    const schema = this.document.webhooks?.[event.type]?.post.requestBody.content['application/json'].schema;
    if (!schema) return [`${event.type} is not documented`];
    const validate = this.#compile(`event ${event.type}`, schema);
    return validate(event) ? [] : [`${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(event)}`];
  }

  #operation(method: string, path: string): Operation | undefined {
    const bare = path.split('?', 1)[0] ?? '';
    const literal = this.document.paths[bare];
    if (literal) return literal[method.toLowerCase()];
    return this.#paths.find(
      ({ pattern, operations }) => pattern.test(bare) && operations[method.toLowerCase()],
    )?.operations[method.toLowerCase()];
  }

  #compile(name: string, schema: object): ValidateFunction {
    const known = this.#byOperation.get(name);
    if (known) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
    const compiled = this.#compiled.get(text) ?? this.#ajv.compile(JSON.parse(text));
    this.#compiled.set(text, compiled);
    this.#byOperation.set(name, compiled);
    return compiled;
  }
}

/** What is answered at a path that no call has. */
function undocumentedPath({ components }: OpenApi): object {
  const failure = { $ref: '#/components/schemas/Failure' };
  if (!('FailureEntry' in components.schemas)) return failure;
  const errors = { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/FailureEntry' } };
  return { allOf: [failure], properties: { errors }, unevaluatedProperties: false };
}

const documents = new Map<string, Promise<ApiDocument>>();
const inThisProcess = new Set<string>();

/** A server of this process is made of the code that is loaded: all of these show one document. */
export function noteServerOfThisProcess(url: string): void {
  inThisProcess.add(url);
}

const byEntityTag = new Map<string, ApiDocument>();

/** To compile a document takes longer than to start a server: servers that show the same one share it. */
async function readDocument(url: string): Promise<ApiDocument> {
  const known = { 'if-none-match': [...byEntityTag.keys()].join(', ') };
  const reply = await fetch(url, {
    headers: { 'accept-encoding': 'identity', ...(byEntityTag.size > 0 && known) },
  });
  const tag = reply.headers.get('etag') ?? '';
  const same = reply.status === 304 ? byEntityTag.get(tag) : undefined;
  if (same) return same;
  const read = new ApiDocument((await reply.json()) as OpenApi);
  byEntityTag.set(tag, read);
  return read;
}
