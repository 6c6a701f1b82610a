import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import classes from './shared-link.module.css';
import { toast } from './toast.js';

interface SharedLinkProps {
  url: string;
  /** The title that the recipient sees. */
  title: string;
  /** Returns whether the browser allowed it. */
  copy: (url: string) => Promise<boolean>;
  /** Further buttons, besides those to copy and to share. */
  children?: ReactNode;
}

/** A link with buttons to copy and to share it. */
export function SharedLink({ url, title, copy, children }: SharedLinkProps) {
  const copyIt = async () => {
    if (await copy(url)) toast.success('Link copiado!');
    else toast.error('Não foi possível copiar', { description: 'Selecione o link e copie.' });
  };
  // Closing the share dialog rejects too, and is no failure.
  const share = () => navigator.share({ title, url }).catch(() => undefined);
  return (
    <>
      <p className={classes.url}>{url}</p>
      <div className={classes.ways}>
        <Button
          variant="default"
          aria-label={`Copiar link: ${title}`}
          onClick={() => void copyIt()}
          leftSection={<Icon name="copy" size={18} />}
        >
          Copiar link
        </Button>
        {'share' in navigator && (
          <Button
            variant="default"
            aria-label={`Compartilhar: ${title}`}
            onClick={() => void share()}
            leftSection={<Icon name="link" size={18} />}
          >
            Compartilhar
          </Button>
        )}
        {children}
      </div>
    </>
  );
}
