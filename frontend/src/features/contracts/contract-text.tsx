import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import classes from './contracts.module.css';

/** What a contract consists of, and as what it is shown: its headings stand below that of the page. */
const shownAs: Readonly<Record<string, string>> = {
  ...{ H1: 'h2', H2: 'h3', H3: 'h4', P: 'p', UL: 'ul', OL: 'ol', LI: 'li', STRONG: 'strong', EM: 'em' },
};

function elementsOf(parent: Node): ReactNode[] {
  return Array.from(parent.childNodes, (node, at) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (!(node instanceof Element)) return null;
    if (node.tagName === 'BR') return <br key={at} />;
    const children = elementsOf(node);
    const href = node.getAttribute('href') ?? '';
    if (node.tagName === 'A' && /^(https:\/\/|mailto:)/i.test(href))
      return (
        <a key={at} href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    const tag = shownAs[node.tagName];
    return tag ? createElement(tag, { key: at }, ...children) : <Fragment key={at}>{children}</Fragment>;
  });
}

/** A contract's text: the server has sanitised it, and only what is known here becomes an element. */
export function ContractText({ html }: { html: string }) {
  const elements = useMemo(() => elementsOf(new DOMParser().parseFromString(html, 'text/html').body), [html]);
  return <div className={classes.text}>{elements}</div>;
}
