import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { owner } from '../lib/owner.js';
import { Notice } from '../ui/notice.js';
import classes from './app.module.css';
import { SupportLink } from './support-link.js';
import { hidePlaceholder } from './hide-placeholder.js';

interface BoundaryProps {
  /** The error is reset when this address changes. */
  place: string;
  children: ReactNode;
}

interface BoundaryState {
  error: Error | null;
  place: string;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    { place }: BoundaryProps,
    state: BoundaryState,
  ): Partial<BoundaryState> | null {
    return place === state.place ? null : { place, error: null };
  }

  override componentDidCatch(): void {
    hidePlaceholder();
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Notice
        icon="alert"
        title="Unexpected Application Error!"
        role="alert"
        action={
          <>
            <button type="button" className={classes.reload} onClick={() => window.location.reload()}>
              Recarregar a página
            </button>
            <a className={classes.reload} href="/">
              Voltar ao início
            </a>
            <SupportLink />
          </>
        }
      >
        <p>{error.message}</p>
        <p>
          Algo deu errado nesta tela.
          {/* Without a signed-in user no drafts are stored. */}
          {owner() && ' O que você digitou continua guardado neste navegador.'}
        </p>
      </Notice>
    );
  }
}

export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary place={useLocation().pathname}>{children}</Boundary>;
}
