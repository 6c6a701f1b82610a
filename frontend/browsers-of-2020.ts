import type { Plugin } from 'vite';

/** The oldest browsers that visitors use, in the notation of the build. */
export const browsersOf2020 = ['chrome80', 'edge80', 'firefox74', 'safari13.1'];

/** Flags of regular expressions that these browsers do not support: `d`, `s` and `v`. */
const newFlags = '[gimuy]*[dsv][dgimsuvy]*';

/**
 * Features that these browsers lack, by file extension. The build rewrites syntax, but not calls, properties, regular
 * expressions and options of `Intl`.
 */
const missing: Readonly<Record<string, RegExp>> = {
  js: new RegExp(
    [
      String.raw`\.(?:at|replaceAll|toSorted|toReversed|toSpliced|findLast|findLastIndex|isWellFormed)\(`,
      String.raw`\b(?:Object\.(?:hasOwn|groupBy)|Promise\.(?:any|try|withResolvers)|Array\.fromAsync|AbortSignal\.\w+)\(`,
      String.raw`\.(?:replaceChildren|requestSubmit|checkVisibility|showModal|showPopover|randomUUID|setHTML)\(`,
      String.raw`\b(?:structuredClone|requestIdleCallback|reportError)\(`,
      String.raw`\.(?:with|union|intersection|difference|isSubsetOf)\(`,
      String.raw`\bURL\.(?:canParse|parse)\(`,
      String.raw`\bnew (?:WeakRef|FinalizationRegistry|AggregateError|(?:Dec|C)ompressionStream|URLPattern)\b`,
      // Lookbehind, named groups, Unicode properties, and flags: in literals, and in the strings that the build turns
      // them into.
      String.raw`\(\?<[=!\w]`,
      String.raw`\\[pP]\{`,
      String.raw`(?<=[=(,:[!&|?{};>]|return )/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/${newFlags}\b`,
      String.raw`\bRegExp\((?:[^()]|\([^()]*\))*,\s*(["'\x60])${newFlags}\1`,
      String.raw`\bIntl\.(?:DisplayNames|ListFormat|Locale|RelativeTimeFormat|Segmenter|DurationFormat|supportedValuesOf)\b`,
      String.raw`\b(?:dateStyle|timeStyle|dayPeriod|fractionalSecondDigits|notation|signDisplay|roundingMode)\s*:`,
      String.raw`\btimeZoneName\s*:\s*(["'\x60])(?:short|long)(?:Offset|Generic)\2`,
      String.raw`\bstyle\s*:\s*(["'\x60])unit\3`,
      String.raw`\.formatRange(?:ToParts)?\(`,
      String.raw`(?<![\w$.])\d+n\b|\bBigInt\(`,
    ].join('|'),
    'g',
  ),
  css: new RegExp(
    [
      String.raw`(?<![-\w])(?:inset(?:-\w+)*|gap|row-gap|aspect-ratio|translate|rotate|scale|content-visibility):`,
      String.raw`(?<![-\w])(?:margin|padding|border)-(?:inline|block):`,
      String.raw`:(?:is|where|has|focus-visible)\b`,
      String.raw`@(?:layer|container|property|scope|supports)\b`,
      String.raw`(?<![-\w])(?:clamp|min|max|color-mix|oklch|oklab|light-dark)\(`,
      String.raw`\d[dsl]v(?:h|w|min|max)\b`,
    ].join('|'),
    'g',
  ),
};

/** The features of a file that browsers of 2020 do not support. */
export function newerThan2020(name: string, content: string): string[] {
  const pattern = missing[name.split('.').pop() ?? ''];
  return pattern ? [...new Set(content.match(pattern))] : [];
}

/** Fails the build, with one line, if a file uses a newer feature. */
export function forBrowsersOf2020(): Plugin {
  return {
    name: 'rende:browsers-of-2020',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const found = Object.values(bundle).flatMap((output) =>
        newerThan2020(output.fileName, output.type === 'chunk' ? output.code : String(output.source)).map(
          (newer) => `${output.fileName}: ${newer}`,
        ),
      );
      if (found.length > 0) this.error(`browsers of 2020 do not have ${found.join(', ')}`);
    },
  };
}
