import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Notice } from '../ui/notice.js';

export default function NotFound() {
  return (
    <main>
      <Notice
        icon="search"
        wholePage
        title="404 · Página não encontrada"
        action={
          <Button component={Link} to="/">
            Voltar ao início
          </Button>
        }
      >
        O endereço pode ter mudado ou sido digitado errado.
      </Notice>
    </main>
  );
}
