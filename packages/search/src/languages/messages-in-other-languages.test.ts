import { describe, expect, it } from 'vitest'
import { engineFor, filesFor } from '../../../../test/support/search-engine-house.ts'

/** Each has most of the words, and they are named after them. */
const DISTRACTORS = {
  'src/file_upload.py':
    'def upload(file, user):\n    """A file that a user may upload: the name and the size are checked."""\n    # An image file of too large a size is not allowed\n    size = file.size\n    return allowed(size, file.image)\n',
  'src/image_size.py':
    'class ImageSize:\n    largest = 10\n    def allowed(self, image, size):\n        return image.file and size < self.largest\n',
  'src/messages.py': 'NOT_SENT = "The mail was not sent"\nSIZE = "size"\nIMAGE = "image"\n',
}
const MESSAGES = [
  'Размер загруженного изображения слишком большой',
  'Das hochgeladene Bild ist zu groß, erlaubte Größe:',
  'La taille de l’image téléchargée est trop grande',
  'El tamaño de la imagen subida es demasiado grande',
  'Rozmiar przesłanego obrazu jest za duży',
  '上传的图像大小过大',
]

describe('a message in another language', () => {
  it.each(MESSAGES)('leads to the code that says it: %s', async (message) => {
    const files = {
      ...DISTRACTORS,
      'src/profile/views.py':
        'def save(request, form):\n    form.save()\n    notify(request, _("The size of the uploaded "\n                      "image is too large"))\n',
    }
    expect(await firstFor(files, message)).toBe('src/profile/views.py')
  })

  it.each(MESSAGES)('leads to the template that says it: %s', async (message) => {
    const files = {
      ...DISTRACTORS,
      'src/templates/done.html':
        '<section>\n  <h1>The size of the uploaded <em>image</em> is too large</h1>\n</section>\n',
    }
    expect(await firstFor(files, message)).toBe('src/templates/done.html')
  })
})

async function firstFor(files: Record<string, string>, message: string) {
  const { engine } = await engineFor({ files })
  await engine.index()
  return (await filesFor(engine, message))[0]
}
