/** Comments and processing instructions of a frame, the XML declaration among them. An honest client has at most one line. */
const MAX_COMMENTARY = 1_024;
const MAX_ATTRIBUTE_VALUE = 4_096;
/** Of a tag without the values of its attributes. Names come back in refusals. */
const MAX_TAG = 4_096;
/**
 * At each of these characters the parser begins a new piece of text, which takes ten times the memory of the character. A
 * legal document of 8 MB in lines of 64 characters has 262,000.
 */
const MAX_BREAKS = 400_000;

const charactersOf = (text: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const character of text) table[character.charCodeAt(0)] = 1;
  return table;
};
const TEXT_BREAKS = charactersOf('<&]\r\n');
const VALUE_BREAKS = charactersOf('<&\r\n\t');
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const EXCLAMATION_MARK = 0x21;
const QUESTION_MARK = 0x3f;
const QUOTATION_MARK = 0x22;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const BRACKET = 0x5d;
const CDATA_START = '[CDATA[';

type Place = 'text' | 'markup' | 'declaration' | 'comment' | 'instruction' | 'cdata' | 'tag' | 'value';

/**
 * Judges a document, slice by slice, before the parser meets it: what the parser splits into pieces, or keeps until its
 * end, is limited here. It looks at each character once. What is not well-formed is left to the parser.
 */
export class MarkupGuard {
  #place: Place = 'text';
  /** The last two characters, for ends of several. */
  #last = 0;
  #beforeLast = 0;
  #quote = 0;
  #opening = '';
  #valueLength = 0;
  #tagLength = 0;
  #commentary = 0;
  #breaks = 0;

  /** Why the document is refused; undefined if it may go on. */
  check(text: string): string | undefined {
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      const place = this.#place;
      this.#read(character);
      if (this.#commentary > MAX_COMMENTARY) return 'it has too long comments or instructions';
      if (this.#valueLength > MAX_ATTRIBUTE_VALUE) return 'it has too long an attribute';
      if (this.#tagLength > MAX_TAG) return 'it has too long a tag';
      if (this.#breaks > MAX_BREAKS) return 'it consists of too many pieces';
      // What ended the last place begins nothing of this one: `<!-->` is no comment.
      const isSame = place === this.#place;
      this.#beforeLast = isSame ? this.#last : 0;
      this.#last = isSame ? character : 0;
    }
    return undefined;
  }

  #read(character: number): void {
    switch (this.#place) {
      case 'text':
        this.#breaks += TEXT_BREAKS[character] ?? 0;
        if (character === LESS_THAN) this.#enter('markup');
        return;
      case 'markup':
        this.#readMarkup(character);
        return;
      case 'declaration':
        this.#readDeclaration(character);
        return;
      case 'comment':
        this.#commentary += 1;
        if (character === GREATER_THAN && this.#last === HYPHEN && this.#beforeLast === HYPHEN)
          this.#enter('text');
        return;
      case 'instruction':
        this.#commentary += 1;
        if (character === GREATER_THAN && this.#last === QUESTION_MARK) this.#enter('text');
        return;
      case 'cdata':
        this.#breaks += TEXT_BREAKS[character] ?? 0;
        if (character === GREATER_THAN && this.#last === BRACKET && this.#beforeLast === BRACKET)
          this.#enter('text');
        return;
      case 'tag':
        this.#readTag(character);
        return;
      case 'value':
        this.#valueLength += 1;
        this.#breaks += VALUE_BREAKS[character] ?? 0;
        if (character === this.#quote) this.#enter('tag');
    }
  }

  #enter(place: Place): void {
    this.#place = place;
    this.#valueLength = 0;
  }

  #readMarkup(character: number): void {
    if (character === EXCLAMATION_MARK) {
      this.#opening = '';
      this.#enter('declaration');
    } else if (character === QUESTION_MARK) this.#enter('instruction');
    else {
      this.#tagLength = 0;
      this.#enter('tag');
      this.#readTag(character);
    }
  }

  /** `<!--`, `<![CDATA[`, or a document type, which the parser refuses at its end; until then it counts as a comment. */
  #readDeclaration(character: number): void {
    this.#opening += String.fromCharCode(character);
    if (this.#opening === '--') this.#enter('comment');
    else if (this.#opening === CDATA_START) this.#enter('cdata');
    else if (!'--'.startsWith(this.#opening) && !CDATA_START.startsWith(this.#opening))
      this.#enter('comment');
  }

  #readTag(character: number): void {
    this.#tagLength += 1;
    if (character === GREATER_THAN) this.#enter('text');
    else if (character === QUOTATION_MARK || character === APOSTROPHE) {
      this.#enter('value');
      this.#quote = character;
    }
  }
}
