/** What is used of highlight.js, whose own types bring those of browsers into every file. */
declare const highlighter: {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly getLanguage: (name: string) => object | undefined;
  readonly highlight: (
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ) => { readonly value: string };
};
export default highlighter;
