import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { createContext, use, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useArrival } from './arrival.js';
import { Icon } from './icon.js';
import classes from './page.module.css';

/** Content that the header of every page shows besides the page's own action. */
export const PageTools = createContext<ReactNode>(null);

interface PageProps {
  title: string;
  /** A quiet line under the title. */
  subtitle?: ReactNode;
  /** Address of the back button; without it there is none. */
  back?: string;
  /** At the right of the title. */
  action?: ReactNode;
  /** The content begins with a bar of its own: the title is for screen readers only. */
  bare?: boolean;
  /** On the phone the header is one low bar, in which the buttons stand beside title and subtitle. */
  bar?: boolean;
  /** `narrow` for forms, `wide` for content that needs the width. */
  width?: 'narrow' | 'normal' | 'wide';
  children: ReactNode;
}

/** A page of the shell: its header and its content, in one column that keeps a readable width. */
export function Page({
  title,
  subtitle,
  back,
  action,
  bare = false,
  bar = false,
  width = 'normal',
  children,
}: PageProps) {
  const tools = use(PageTools);
  const arrival = useArrival(title);
  const heading = (
    <h1 ref={arrival} tabIndex={-1} className={classes.title}>
      {title}
    </h1>
  );

  if (bare)
    return (
      <div className={classes.page} data-width={width} data-bare>
        <VisuallyHidden>{heading}</VisuallyHidden>
        {children}
      </div>
    );
  return (
    <div className={classes.page} data-width={width} data-bar={bar || undefined}>
      <header className={classes.header}>
        {back && (
          <UnstyledButton
            component={Link}
            to={back}
            aria-label="Voltar"
            className={classes.back}
            data-on-screen
          >
            <Icon name="back" />
          </UnstyledButton>
        )}
        <div className={classes.titles}>
          {heading}
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {tools}
        {action}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  /** At the right of the heading. */
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, action, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.sectionHeader}>
        <h2 className={classes.sectionTitle}>{title}</h2>
        {action && <div className={classes.sectionAction}>{action}</div>}
      </div>
      {children}
    </section>
  );
}
