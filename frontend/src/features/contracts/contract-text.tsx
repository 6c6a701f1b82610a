import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import classes from './contracts.module.css';

/** The allowed elements of a contract, and the element that shows each. */
const shownAs: Readonly<Record<string, string>> = {
  P: 'p',
  UL: 'ul',
  OL: 'ol',
  LI: 'li',
  STRONG: 'strong',
  EM: 'em',
  MARK: 'mark',
};

/** Maps headings to levels below the page's own heading, starting with the largest in the text. */
function headingsOf(parent: ParentNode): Readonly<Record<string, string>> {
  const levels = ['H1', 'H2', 'H3'].filter((level) => parent.querySelector(level));
  return Object.fromEntries(levels.map((level, at) => [level, `h${at + 2}`]));
}

function elementsOf(parent: Node, headings: Readonly<Record<string, string>>): ReactNode[] {
  return Array.from(parent.childNodes, (node, at) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (!(node instanceof Element)) return null;
    if (node.tagName === 'BR') return <br key={at} />;
    const children = elementsOf(node, headings);
    const href = node.getAttribute('href') ?? '';
    if (node.tagName === 'A' && /^(https:\/\/|mailto:)/i.test(href))
      return (
        <a key={at} href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    const tag = shownAs[node.tagName] ?? headings[node.tagName];
    return tag ? createElement(tag, { key: at }, ...children) : <Fragment key={at}>{children}</Fragment>;
  });
}

/** A contract's text. The server has sanitised it; here only known tags become elements. */
export function ContractText({ html }: { html: string }) {
  const elements = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    return elementsOf(body, headingsOf(body));
  }, [html]);
  return <div className={classes.text}>{elements}</div>;
}
