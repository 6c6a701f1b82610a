import { ActionIcon } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import { Page, PageTools } from '../../ui/page.js';
import { ThemeChoice } from '../../ui/theme-choice.js';
import { FieldsGallery } from './fields-gallery.js';
import { PartsGallery } from './parts-gallery.js';
import { StatesGallery } from './states-gallery.js';

/** Shows every component of `ui` in the chosen theme. */
export default function Gallery() {
  return (
    <main>
      <PageTools
        value={
          <ActionIcon aria-label="Buscar">
            <Icon name="search" />
          </ActionIcon>
        }
      >
        <Page title="Componentes" subtitle="Tudo o que há em frontend/src/ui" back="/" width="wide">
          <ThemeChoice />
          <FieldsGallery />
          <PartsGallery />
          <StatesGallery />
        </Page>
      </PageTools>
    </main>
  );
}
