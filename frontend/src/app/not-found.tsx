import { Button } from '@mantine/core';
import { Fragment, use } from 'react';
import { Link } from 'react-router-dom';
import { Notice } from '../ui/notice.js';
import { MeContext } from '../lib/me.js';
import { SupportLink } from './support-link.js';

export default function NotFound() {
  // Inside an area there is a <main> already.
  const Around = use(MeContext) ? Fragment : 'main';
  return (
    <Around>
      <Notice
        icon="search"
        wholePage
        title="404 · Página não encontrada"
        action={
          <>
            <Button component={Link} to="/">
              Voltar ao início
            </Button>
            <SupportLink />
          </>
        }
      >
        O endereço pode ter mudado ou sido digitado errado.
      </Notice>
    </Around>
  );
}
