/** The columns of `bmp.updates` that have a list in each row: AS path, clusters, communities of three kinds. */
import * as at from "../../../net/wire/layout.ts";
import { messageWordsMax } from "../../../net/wire/limits.ts";
import { elementBit, type MessageReader } from "../../../net/wire/message-reader.ts";
import { ByteBuffer, type NativeColumn } from "./native-block.ts";

/** Where the list of each row ends, and the columns of its elements. */
class ListColumn {
  readonly data: readonly ByteBuffer[];
  readonly #ends = new ByteBuffer();
  readonly #parts: readonly ByteBuffer[];
  readonly #lengths: number[];
  #count = 0;
  #countBefore = 0;

  constructor(...parts: readonly ByteBuffer[]) {
    this.#parts = parts;
    this.#lengths = parts.map(() => 0);
    this.data = [this.#ends, ...parts];
  }

  /** Call before each row; starts again in a cleared block. */
  begin(): void {
    this.#count = this.#ends.length === 0 ? 0 : this.#count;
    this.#countBefore = this.#count;
    for (let i = 0; i < this.#parts.length; i++) {
      this.#lengths[i] = this.#parts[i]?.length ?? 0;
    }
  }

  /** Ends the row's list, which has `elements` elements. */
  end(elements: number): void {
    this.#count += elements;
    this.#ends.count(this.#count);
  }

  /** Removes everything since `begin`; `rows` rows are complete. */
  undo(rows: number): void {
    this.#count = this.#countBefore;
    this.#ends.length = 8 * rows;
    for (const [i, part] of this.#parts.entries()) {
      part.length = this.#lengths[i] ?? 0;
    }
  }
}

export class UpdateLists {
  readonly #asn = new ByteBuffer();
  readonly #path = new ListColumn(this.#asn);
  readonly #cluster = new ByteBuffer();
  readonly #clusters = new ListColumn(this.#cluster);
  readonly #community = [new ByteBuffer(), new ByteBuffer()] as const;
  readonly #communities = new ListColumn(...this.#community);
  readonly #extendedOne = [new ByteBuffer(), new ByteBuffer(), new ByteBuffer()] as const;
  readonly #extended = new ListColumn(...this.#extendedOne);
  readonly #largeOne = [new ByteBuffer(), new ByteBuffer(), new ByteBuffer()] as const;
  readonly #large = new ListColumn(...this.#largeOne);
  readonly #all = [this.#path, this.#clusters, this.#communities, this.#extended, this.#large];
  readonly columns: readonly NativeColumn[] = [
    { name: "as_path", type: "Array(UInt32)", data: this.#path.data },
    { name: "cluster_list", type: "Array(UInt32)", data: this.#clusters.data },
    { name: "communities", type: "Array(Tuple(UInt32, UInt16))", data: this.#communities.data },
    { name: "extended_communities", type: "Array(Tuple(UInt8, UInt8, String))", data: this.#extended.data },
    { name: "large_communities", type: "Array(Tuple(UInt32, UInt32, UInt32))", data: this.#large.data },
  ];

  begin(): void {
    for (const list of this.#all) {
      list.begin();
    }
  }

  undo(rows: number): void {
    for (const list of this.#all) {
      list.undo(rows);
    }
  }

  addPath(reader: MessageReader): void {
    this.#path.end(addNumbers(reader, at.updateAsPathPointer, this.#asn));
  }

  /** In the order of the codec, so that both name the same fault first. */
  addRest(reader: MessageReader): void {
    this.#addCommunities(reader);
    this.#addExtended(reader);
    this.#addLarge(reader);
    this.#clusters.end(addNumbers(reader, at.updateClusterListPointer, this.#cluster));
  }

  #addCommunities(reader: MessageReader): void {
    const count = openList(reader, at.updateCommunitiesPointer);
    const [asn, value] = this.#community;
    for (let i = 0; i < count; i++) {
      asn.u32(reader.elementU32(i, at.communityAsnOffset));
      value.u8(reader.elementU8(i, at.communityValueOffset));
      value.u8(reader.elementU8(i, at.communityValueOffset + 1));
    }
    this.#communities.end(count);
  }

  #addExtended(reader: MessageReader): void {
    const count = openList(reader, at.updateExtendedCommunitiesPointer);
    const [high, low, value] = this.#extendedOne;
    for (let i = 0; i < count; i++) {
      high.u8(reader.elementU8(i, at.extendedCommunityTypeHighOffset));
      low.u8(reader.elementU8(i, at.extendedCommunityTypeLowOffset));
      value.text(reader.elementBytes(i, at.extendedCommunityValuePointer));
    }
    this.#extended.end(count);
  }

  #addLarge(reader: MessageReader): void {
    const count = openList(reader, at.updateLargeCommunitiesPointer);
    const [asn, first, second] = this.#largeOne;
    for (let i = 0; i < count; i++) {
      asn.u32(reader.elementU32(i, at.largeCommunityGlobalAdminOffset));
      first.u32(reader.elementU32(i, at.largeCommunityLocalDataPart1Offset));
      second.u32(reader.elementU32(i, at.largeCommunityLocalDataPart2Offset));
    }
    this.#large.end(count);
  }
}

function addNumbers(reader: MessageReader, pointer: number, buffer: ByteBuffer): number {
  const count = openList(reader, pointer);
  for (let i = 0; i < count; i++) {
    buffer.u32(reader.elementU32(i, 0));
  }
  return count;
}

/** The number of its elements; 0 where the list is refused, as in the codec. */
function openList(reader: MessageReader, pointer: number): number {
  reader.openList(pointer);
  if (reader.listElement === elementBit || reader.listCount > 2 * messageWordsMax) {
    reader.fail("listElement");
    return 0;
  }
  return reader.listCount;
}
