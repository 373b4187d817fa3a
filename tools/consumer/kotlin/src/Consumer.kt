package com.example.consumer

import io.devicearena.ArenaOptions
import io.devicearena.DType
import io.devicearena.NodeId
import io.devicearena.NodeRole
import io.devicearena.discovery.DeviceArenas
import io.devicearena.plan.MemoryPlanner
import io.devicearena.plan.PlanGraph
import io.devicearena.plan.PlanNode
import io.devicearena.plan.PlanOptions

private class Node(
    private val number: Long,
    private val role: NodeRole,
    private val inputs: List<Long> = listOf(),
) : PlanNode {
    override fun id() = NodeId.of(number)
    override fun role() = role
    override fun dtype() = DType.F32
    override fun elements() = 4L
    override fun inputs() = inputs.map(NodeId::of)
}

/** Plans a graph, opens an arena on the provider cpu, writes floats, and reads them back. */
fun main() {
    val nodes = listOf(Node(0, NodeRole.INPUT), Node(1, NodeRole.OP, listOf(0)), Node(2, NodeRole.OUTPUT, listOf(1)))
    val options = ArenaOptions.defaults().withProvider("cpu")
    val plan = MemoryPlanner.plan(PlanGraph { nodes }, PlanOptions.forDevice(DeviceArenas.choose(options))).plan()
    val written = floatArrayOf(1f, 2f, 3f, 4f)
    DeviceArenas.open(plan, options).use { arena ->
        arena.writeInputF32(NodeId.of(0), DType.F32, written)
        val read = arena.readOutputF32(NodeId.of(0), DType.F32, written.size.toLong())
        check(read.contentEquals(written)) { "expected ${written.toList()}, got ${read.toList()}" }
    }
    println("consumer: an arena of ${plan.arenaSize()} bytes from Kotlin")
}
