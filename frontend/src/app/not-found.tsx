import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Notice } from '../ui/notice.js';
import { SupportLink } from './support-link.js';

export default function NotFound() {
  return (
    <main>
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
    </main>
  );
}
