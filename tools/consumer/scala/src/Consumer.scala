package com.example.consumer

import io.devicearena.{ArenaOptions, DType, NodeId, NodeRole}
import io.devicearena.discovery.DeviceArenas
import io.devicearena.plan.{MemoryPlanner, PlanGraph, PlanNode, PlanOptions}
import java.util.List
import scala.util.Using

final class Node(number: Long, kind: NodeRole, before: Long*) extends PlanNode:
  override def id = NodeId.of(number)
  override def role = kind
  override def dtype = DType.F32
  override def elements = 4L
  override def inputs = List.copyOf(java.util.Arrays.asList(before.map(NodeId.of(_))*))

/** Plans a graph, opens an arena on the provider cpu, writes floats, and reads them back. */
@main def consumer(): Unit =
  val nodes = List.of(Node(0, NodeRole.INPUT), Node(1, NodeRole.OP, 0), Node(2, NodeRole.OUTPUT, 1))
  val graph: PlanGraph = () => nodes
  val options = ArenaOptions.defaults().withProvider("cpu")
  val plan = MemoryPlanner.plan(graph, PlanOptions.forDevice(DeviceArenas.choose(options))).plan()
  val written = Array(1f, 2f, 3f, 4f)
  Using.resource(DeviceArenas.open(plan, options)): arena =>
    arena.writeInputF32(NodeId.of(0), DType.F32, written)
    val read = arena.readOutputF32(NodeId.of(0), DType.F32, written.length)
    assert(read.sameElements(written), s"expected ${written.toList}, got ${read.toList}")
  println(s"consumer: an arena of ${plan.arenaSize} bytes from Scala")
