import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Notice } from '../ui/notice.js';

/** A public link that leads to nobody. */
export default function NoTrainer() {
  return (
    <main>
      <Notice
        icon="search"
        wholePage
        title="Personal não encontrado"
        action={
          <Button component={Link} to="/">
            Voltar ao início
          </Button>
        }
      >
        O link pode ter mudado ou sido desativado. Peça o link atual ao seu personal.
      </Notice>
    </main>
  );
}
