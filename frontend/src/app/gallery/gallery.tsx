import { ActionIcon, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Icon } from '../../ui/icon.js';
import { Page, PageTools } from '../../ui/page.js';
import { FieldsGallery } from './fields-gallery.js';
import { PartsGallery } from './parts-gallery.js';
import { StatesGallery } from './states-gallery.js';

/** Every component of `ui`, as it looks in the chosen theme. */
export default function Gallery() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
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
          <SegmentedControl
            aria-label="Tema"
            value={colorScheme}
            onChange={(value) => setColorScheme(value)}
            data={[
              { value: 'light', label: 'Claro' },
              { value: 'dark', label: 'Escuro' },
              { value: 'auto', label: 'Sistema' },
            ]}
          />
          <FieldsGallery />
          <PartsGallery />
          <StatesGallery />
        </Page>
      </PageTools>
    </main>
  );
}
