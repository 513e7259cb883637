import { readdirSync, readFileSync } from 'node:fs';
import type { XmlElement, XsdValidator } from 'libxml2-wasm';

const SCHEMAS = new URL('../doors/epp/schemas/', import.meta.url);
/** Not a place in the file system: while schemas are loaded, nothing else can be read through the library. */
const BASE = 'epp-schemas:///';
const EE_SCHEMA = 'https://epp.tld.ee/schema/';
/** The one schema of ee that the IETF dialect uses too. */
const EIS = `${EE_SCHEMA}eis-1.0.xsd`;

type Dialect = 'ietf' | 'ee';

// Loaded on first use, as in the product.
const library = () => import('libxml2-wasm');

const validators = new Map<Dialect, Promise<XsdValidator>>();

/**
 * How a frame violates the schemas of its dialect. The two are never loaded together: each defines
 * the namespace eppcom-1.0 in its own way.
 */
export async function schemaViolations(frame: string | Uint8Array): Promise<readonly string[]> {
  const { XmlDocument, XmlElement: Element, XmlLibError, ParseOption } = await library();
  const bytes = typeof frame === 'string' ? Buffer.from(frame) : frame;
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE;
  try {
    using document = XmlDocument.fromBuffer(bytes, { option });
    const dialect = usesNamespace(document.root, Element, isEe) ? 'ee' : 'ietf';
    const validator = await validatorOf(dialect);
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.message.trim().split('\n');
  }
}

const isEe = (namespace: string): boolean => namespace.startsWith(EE_SCHEMA) && namespace !== EIS;

function usesNamespace(
  element: XmlElement,
  Element: typeof XmlElement,
  isWanted: (namespace: string) => boolean,
): boolean {
  if (isWanted(element.namespaceUri)) return true;
  for (let node = element.firstChild; node; node = node.next)
    if (node instanceof Element && usesNamespace(node, Element, isWanted)) return true;
  return false;
}

function validatorOf(dialect: Dialect): Promise<XsdValidator> {
  const known = validators.get(dialect) ?? compile(dialect);
  validators.set(dialect, known);
  return known;
}

async function compile(dialect: Dialect): Promise<XsdValidator> {
  const xml = await library();
  const files = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.xsd'),
  );
  const buffers = Object.fromEntries(
    files.map((file) => [`${BASE}${file}`, readFileSync(new URL(file, SCHEMAS))]),
  );
  xml.xmlRegisterInputProvider(new xml.XmlBufferInputProvider(buffers));
  try {
    const entry = readFileSync(new URL(`${dialect}.xsd`, SCHEMAS));
    using document = xml.XmlDocument.fromBuffer(entry, { url: `${BASE}${dialect}.xsd` });
    return xml.XsdValidator.fromDoc(document);
  } finally {
    // Providers are global to the process: the product's documents must not find these files.
    xml.xmlCleanupInputProvider();
  }
}
